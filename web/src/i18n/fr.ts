/** All that the client says in French, as one file that is fetched by itself. */
export default import.meta.glob<Record<string, string>>("./fr/*.json", { eager: true, import: "default" });
