/** The index partition of the heads of all texts, sorted by digest. */
export const textPartition = 'texts'

/** Returns the partition of a text. */
export const textPlace = (digest: string) => `text#${digest}`

/** Returns the digest of the text in a partition. */
export const digestIn = (pk: string) => pk.slice('text#'.length)

/** Returns the index keys of the head of a text. */
export const textIndex = (pk: string) => ({ gsi1pk: textPartition, gsi1sk: digestIn(pk) })
