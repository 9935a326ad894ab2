/** Asks again and again while somebody looks, sooner after a failure. Returns what ends it. */
export function poll(ask: () => Promise<void>, every: number, afterFailure: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isAsking = false;

  const round = async (): Promise<void> => {
    clearTimeout(timer);
    if (isOver || isAsking || document.visibilityState === "hidden") return;
    isAsking = true;
    const wait = await ask().then(
      () => every,
      () => afterFailure,
    );
    isAsking = false;
    if (!isOver) timer = setTimeout(() => void round(), wait);
  };
  const atOnce = (): void => void round();

  document.addEventListener("visibilitychange", atOnce);
  addEventListener("online", atOnce);
  void round();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", atOnce);
    removeEventListener("online", atOnce);
  };
}
