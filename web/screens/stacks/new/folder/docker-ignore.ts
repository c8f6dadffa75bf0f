/** Returns whether a `.dockerignore` leaves out a path, which is relative to the build context. */
export function dockerIgnore(text: string): (path: string) => boolean {
  const rules = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '!')
    .map((line) => ({
      takesBack: line.startsWith('!'),
      pattern: patternOf(line.replace(/^!\s*/, '')),
    }))
  return (path) => {
    const parts = path.split('/')
    const all = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    let ignored = false
    for (const { takesBack, pattern } of rules)
      if (all.some((one) => pattern.test(one))) ignored = !takesBack
    return ignored
  }
}

/** `*` and `?` stay in one part of the path, `**` stands for any number of parts. */
function patternOf(line: string): RegExp {
  const parts = line.split('/').filter((part) => part !== '' && part !== '.')
  const words = parts.join('/').replace(/[.+^${}()|\\]/g, '\\$&')
  const source = words.replace(/\*\*\/?|\*|\?/g, (wild) => wilds[wild] ?? wild)
  return safely(`^${source}$`) ?? /$^/
}

const wilds: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}

/** Returns undefined for a list of characters that is not closed. The service reports it. */
function safely(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 's')
  } catch {
    return undefined
  }
}
