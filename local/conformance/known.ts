/** Cases that fail → what this engine does differently, and why. docs/compose.md lists them too. */
export const known: Record<string, string> = {}
