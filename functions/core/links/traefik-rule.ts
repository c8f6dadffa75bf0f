/** One way to match a rule. Without a host every host matches. */
export interface Match {
  host?: string
  path?: string
}

/** Longer rules, deeper parentheses and more alternatives are not read. */
const ruleMax = 4096
const depthMax = 20
const matchesMax = 50

/**
 * Returns the hosts and paths that a rule of a Traefik router matches, such as ``Host(`a`) &&
 * (Path(`/x`) || Path(`/y`))``. Matchers of anything else are taken as met. Returns an empty list
 * for a rule that cannot be parsed.
 */
export function ruleMatches(rule: string): Match[] {
  if (rule.length > ruleMax) return []
  const tokens = rule.match(token) ?? []
  if (tokens.join('') !== rule.replace(blanks, (part) => (part.trim() === '' ? '' : part)))
    return []
  const reader = new RuleReader(tokens)
  try {
    const matches = reader.either()
    return reader.isDone() ? matches : []
  } catch (error) {
    if (error instanceof RuleError) return []
    throw error
  }
}

const token = /`[^`]*`|"[^"]*"|'[^']*'|[A-Za-z]+|&&|\|\||[!(),]/g
/** Quoted texts and the blanks between them. */
const blanks = /`[^`]*`|"[^"]*"|'[^']*'|\s+/g

class RuleError extends Error {}

class RuleReader {
  readonly #tokens: readonly string[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  isDone = () => this.#at === this.#tokens.length

  either(): Match[] {
    const matches = this.#both()
    while (this.#takes('||')) matches.push(...this.#both())
    return bounded(matches)
  }

  #both(): Match[] {
    let matches = this.#one()
    while (this.#takes('&&')) {
      const others = this.#one()
      matches = bounded(matches.flatMap((one) => others.flatMap((other) => joined(one, other))))
    }
    return matches
  }

  #one(): Match[] {
    this.#depth += 1
    if (this.#depth > depthMax) throw new RuleError('too deep')
    const matches = this.#unary()
    this.#depth -= 1
    return matches
  }

  #unary(): Match[] {
    if (this.#takes('!')) {
      this.#one()
      return [{}]
    }
    if (this.#takes('(')) {
      const matches = this.either()
      this.#demand(')')
      return matches
    }
    return this.#matcher()
  }

  #matcher(): Match[] {
    const name = (this.#tokens[this.#at] ?? '').toLowerCase()
    if (!/^[a-z]/.test(name)) throw new RuleError('no matcher')
    this.#at += 1
    this.#demand('(')
    const values: string[] = []
    while (!this.#takes(')')) {
      const text = this.#tokens[this.#at] ?? ''
      if (!/^[`"']/.test(text)) throw new RuleError('no value')
      this.#at += 1
      values.push(text.slice(1, -1))
      if (!this.#takes(',') && this.#tokens[this.#at] !== ')') throw new RuleError('no comma')
    }
    if (name === 'host') return bounded(values.map((host) => ({ host: host.toLowerCase() })))
    if (name === 'path' || name === 'pathprefix') {
      return bounded(values.map((path) => ({ path: fixedPart(path) })))
    }
    return [{}]
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false
    this.#at += 1
    return true
  }

  #demand(token: string): void {
    if (!this.#takes(token)) throw new RuleError(`no ${token}`)
  }
}

function bounded(matches: Match[]): Match[] {
  if (matches.length > matchesMax) throw new RuleError('too many alternatives')
  return matches
}

/** Returns what meets both, or nothing if no request does. */
function joined(one: Match, other: Match): Match[] {
  if (one.host !== undefined && other.host !== undefined && one.host !== other.host) return []
  const host = one.host ?? other.host
  const [short = '', long = ''] = [one.path ?? '', other.path ?? ''].sort(
    (left, right) => left.length - right.length,
  )
  if (!long.startsWith(short)) return []
  return [{ ...(host !== undefined && { host }), ...(long !== '' && { path: long }) }]
}

/** Returns a path up to its first variable part, such as `{id:[0-9]+}`. */
const fixedPart = (path: string): string =>
  path.includes('{') ? path.slice(0, path.indexOf('{')).replace(/[^/]*$/, '') : path
