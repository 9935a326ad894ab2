/** All that the client says in English, as one file that is fetched by itself. */
export default import.meta.glob<Record<string, string>>("./en/*.json", { eager: true, import: "default" });
