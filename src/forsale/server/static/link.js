// Be here who you are on your other device. The secret is in the fragment, which no server and no proxy is told.
const secret = location.hash.slice(1);
const button = document.querySelector("button");
const say = (sentence) => {
  document.querySelector("[role=status]").textContent = sentence;
};

// Out of the address bar, so that it is neither shared nor kept in the history.
history.replaceState(null, "", location.pathname);

if (secret) {
  button.hidden = false;
  button.addEventListener("click", redeem);
} else {
  say("There is no secret in this link; ask your other device for a new one.");
}

async function redeem() {
  button.disabled = true;
  try {
    const response = await fetch("/api/me/redeem", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ secret }),
    });
    const answer = await response.json();
    say(response.ok ? `This device is ${answer.name} now.` : answer.sentence);
    button.hidden = response.ok || response.status === 404;
  } catch {
    say("The server could not be reached; try again.");
  }
  button.disabled = false;
}
