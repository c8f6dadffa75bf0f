/** What a commit says of itself. */
export interface Commit {
  tree: string
  about: { author?: string; subject?: string; at?: number }
}

const textMax = 200

/** Parses a commit object (`git cat-file commit`), or returns undefined if it is none. */
export function parseCommit(content: Buffer): Commit | undefined {
  const text = content.toString('utf8')
  const end = text.indexOf('\n\n')
  const head = end < 0 ? text : text.slice(0, end)
  const tree = /^tree ([0-9a-f]{40})$/m.exec(head)?.[1]
  if (tree === undefined) return undefined
  const [, author, seconds] = /^author (.*?) ?<[^>\n]*> (\d{1,11}) [+-]\d{4}$/m.exec(head) ?? []
  const [subject = ''] = (end < 0 ? '' : text.slice(end)).trimStart().split('\n', 1)
  return {
    tree,
    about: {
      ...(author && { author: plain(author) }),
      ...(subject !== '' && { subject: plain(subject) }),
      ...(seconds !== undefined && { at: Number(seconds) * 1000 }),
    },
  }
}

/** Control characters and those that change the direction of text hide things in terminals. */
const plain = (text: string) =>
  text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .slice(0, textMax)
