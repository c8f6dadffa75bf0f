/** The flags that limit an account or a token to some hosts. */
export const scopeFlags = {
  '--tag <...tag>': 'Only hosts with this tag; repeatable',
  '--scope-tag <...tag>': 'The same as --tag',
} as const

/** What errors call the field of these flags. */
export const scopeFields = { scope_tags: '--tag' } as const

/** Returns the tags that the flags name, or undefined if they name none. */
export function scopeTagsOf(flags: { tag: string[]; scopeTag: string[] }): string[] | undefined {
  const tags = [...flags.tag, ...flags.scopeTag]
  return tags.length > 0 ? tags : undefined
}
