/** Cases that fail → what this engine does differently, and why, as in docs/contributing. */
export const known: Record<string, string> = {}
