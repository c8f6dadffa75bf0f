const hidden = '••••••'

/** Returns the text of an env file with its values hidden. Names and comments stay. */
export function maskEnv(text: string): string {
  let quote: string | undefined
  return text
    .split('\n')
    .flatMap((line) => {
      if (quote !== undefined) {
        // The rest of a value of several lines.
        if (line.includes(quote)) quote = undefined
        return []
      }
      if (/^\s*(?:#.*)?$/.test(line)) return [line]
      const found = /^(\s*(?:export\s+)?[^=:\s]+\s*[=:])\s*(.*)$/.exec(line)
      if (!found) return [/^\s*(?:export\s+)?[\w.-]+\s*$/.test(line) ? line : hidden]
      const value = found[2] ?? ''
      const first = /^["']/.exec(value)?.[0]
      if (first && !value.slice(1).includes(first)) quote = first
      return [value === '' ? line : `${found[1]}${hidden}`]
    })
    .join('\n')
}

/** Returns a resolved model with the values of variables and of secrets hidden. */
export function maskModel(model: unknown, path: readonly string[] = []): unknown {
  if (Array.isArray(model)) return model.map((one) => maskModel(one, path))
  if (typeof model !== 'object' || model === null) return model
  const entries = Object.entries(model).map(([key, value]) => {
    const here = [...path, key]
    return [key, isSecret(here) ? maskAll(value) : maskModel(value, here)] as const
  })
  return Object.fromEntries(entries)
}

function isSecret(path: readonly string[]): boolean {
  const [room, , third, fourth] = path
  if (room === 'services') {
    return path.length === 3 ? third === 'environment' : third === 'build' && fourth === 'args'
  }
  return (room === 'secrets' || room === 'configs') && path.length === 3 && third === 'content'
}

function maskAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => String(one).replace(/=.*$/s, `=${hidden}`))
  if (typeof value !== 'object' || value === null) return value === null ? value : hidden
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, one === null ? null : hidden]),
  )
}
