/** Cases that fail, each with the reason: what this engine does otherwise, and why. docs/compose.md lists them. */
export const known: Record<string, string> = {}
