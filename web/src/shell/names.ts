/** Characters that a name may have at most: as many as the server takes. */
export const MAX_NAME = 24;
