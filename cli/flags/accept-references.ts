export const acceptFlag = {
  '--accept-references <...names>':
    'Accept what an account that saved the files may not use, by the names that the plan shows',
} as const

/** Returns the names that the flag gives, each one or several with commas between them. */
export function acceptedOf({
  acceptReferences,
}: {
  acceptReferences: readonly string[]
}): string[] | undefined {
  const names = acceptReferences.flatMap((text) => text.split(',')).filter((name) => name !== '')
  return names.length > 0 ? names : undefined
}
