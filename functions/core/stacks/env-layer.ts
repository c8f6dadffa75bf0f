import { type DotenvStatement, splitDotenv } from '../../compose/load/dotenv.ts'
import { namesIn } from '../../compose/load/template.ts'

/** A variable that the files of a stack can use. It has no value: that is secret. */
export interface EnvVariable {
  name: string
  /** Where its value is from: the `.env` of the source or of the service, or a set. */
  origin: 'service' | 'source' | 'shared'
  /** The source has another value, which this one covers. */
  covers: boolean
  /** The set that has it, also if another value takes precedence. */
  set?: string
}

/** The two parts of the `.env` of a stack that follows a source, as texts. */
export interface EnvParts {
  /** What the source has; null if it has no such file, or if it is not known. */
  source: string | null
  /** The variables that are kept in the service; null if there are none. */
  own: string | null
}

/**
 * Returns the `.env` of two parts: the file of the source, with the variables that are kept here in
 * place of its own, and the others of these at the end. Comments and order of the source stay.
 *
 * @returns null if both parts are missing
 * @throws Problem with the line of a part that cannot be read
 */
export function joinEnv({ source, own }: EnvParts): string | null {
  if (source === null || own === null) return source ?? own
  const theirs = splitDotenv(source, '.env')
  const { covering, others } = arrange([...byName(own).values()], placesOf(theirs.statements))
  const done = new Set<string>()
  let text = ''
  let at = 0
  for (const { key, start, end } of theirs.statements) {
    const lines = covering.get(key)
    if (!lines) continue
    text += theirs.source.slice(at, start)
    at = end
    // Else a later one of the source would count.
    if (done.has(key)) continue
    done.add(key)
    text += linesOf(lines)
    // Else the rest of the line would be part of a value without quotes.
    if (!isAtLineEnd(theirs.source, at)) text += '\n'
  }
  text += theirs.source.slice(at)
  if (others.length === 0) return text
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${linesOf(others)}\n`
}

/**
 * Returns what is to be kept of a `.env` that a user writes, so that the source has the rest: the
 * variables that the source does not have or has with another value, and those that were kept
 * before and stay as they are. A variable that the text leaves out is not kept.
 *
 * @param parts as they were before
 * @throws Problem with the line of a text that cannot be read
 */
export function keptEnv(text: string, { source, own }: EnvParts): string | null {
  const now = byName(joinEnv({ source, own }) ?? '')
  const [kept, theirs] = [byName(own ?? ''), byName(source ?? '')]
  const statements = [...byName(text).values()].filter(
    (one) =>
      (kept.has(one.key) && isSameValue(one, now.get(one.key))) ||
      !isSameValue(one, theirs.get(one.key)),
  )
  return statements.length === 0 ? null : `${linesOf(statements)}\n`
}

/**
 * Returns the variables of a `.env`, in the order in which they first appear in it.
 *
 * @throws Problem with the line of a part that cannot be read
 */
export function envVariables(parts: EnvParts): EnvVariable[] {
  const [theirs, kept] = [byName(parts.source ?? ''), byName(parts.own ?? '')]
  const { statements } = splitDotenv(joinEnv(parts) ?? '', '.env')
  const names = new Set(statements.map(({ key }) => key))
  return [...names].map((name) => ({
    name,
    origin: kept.has(name) ? 'service' : 'source',
    covers: kept.has(name) && theirs.has(name),
  }))
}

/**
 * Returns the variables of a `.env` over those of sets, which come last.
 *
 * @param shared name → where its value is from
 */
export function overShared(
  own: readonly EnvVariable[],
  shared: Readonly<Record<string, { set: string }>>,
): EnvVariable[] {
  const sets = new Map(Object.entries(shared).map(([name, { set }]) => [name, set]))
  const named = own.map((variable) => {
    const set = sets.get(variable.name)
    sets.delete(variable.name)
    return set === undefined ? variable : { ...variable, set }
  })
  const others = [...sets].map(([name, set]) => ({
    name,
    origin: 'shared' as const,
    covers: false,
    set,
  }))
  return [...named, ...others]
}

/**
 * Returns the variables whose author, in a change of one part, made them depend on variables of the
 * other part: without the right to read that part, nothing that others see may use them. They may
 * do so without another text: once a variable is covered no longer, what refers to it shows the
 * value of the other part.
 *
 * @param author the part that changed
 * @throws Problem with the line of a part that cannot be read
 */
export function newlyMixed(
  before: EnvParts,
  after: EnvParts,
  author: keyof EnvParts,
): ReadonlySet<string> {
  const { others, authored, users } = countingOf(after, author)
  const earlier = new Set(countingOf(before, author).others)
  const uncovered = withUsers(
    others.filter((name) => !earlier.has(name)),
    users,
  )
  const written = textsByName(authored)
  // What moves from one part to the other shows nothing new.
  const known = [before.source, before.own].map((text) => textsByName(statementsIn(text)))
  const changed = [...withUsers(others, users)].filter((name) => {
    const text = written.get(name)
    if (text === undefined) return false
    return uncovered.has(name) || known.every((texts) => texts.get(name) !== text)
  })
  return withUsers(changed, users)
}

/** The statements that count: a variable that is kept here covers that of the source. */
interface Counting {
  /** The names of those that are not the author's. */
  others: string[]
  authored: readonly DotenvStatement[]
  /** The variables that refer to each variable. */
  users: ReadonlyMap<string, readonly string[]>
}

function countingOf({ source, own }: EnvParts, author: keyof EnvParts): Counting {
  const kept = statementsIn(own)
  const keptNames = new Set(kept.map(({ key }) => key))
  const theirs = statementsIn(source).filter(({ key }) => !keptNames.has(key))
  const [authored, others] = author === 'source' ? [theirs, kept] : [kept, theirs]
  return {
    others: others.map(({ key }) => key),
    authored,
    users: usersByName([...theirs, ...kept]),
  }
}

const statementsIn = (text: string | null) => splitDotenv(text ?? '', '.env').statements

/** Returns all that statements say of each variable. */
function textsByName(statements: readonly DotenvStatement[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const { key, text } of statements) found.set(key, `${found.get(key) ?? ''}${text}\n`)
  return found
}

/** Returns the variables that refer to each variable. */
function usersByName(statements: readonly DotenvStatement[]): Map<string, string[]> {
  const users = new Map<string, string[]>()
  for (const { key, value = '', isLiteral } of statements) {
    for (const name of isLiteral ? [] : namesIn(value)) {
      const known = users.get(name)
      if (known) known.push(key)
      else users.set(name, [key])
    }
  }
  return users
}

/** Returns variables with all that refer to them, also through others. */
function withUsers(
  names: Iterable<string>,
  users: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const found = new Set(names)
  // A set also iterates over what is added meanwhile.
  for (const name of found) for (const user of users.get(name) ?? []) found.add(user)
  return found
}

/** Returns the statements by their names. The last one of a name counts, at its place. */
function byName(text: string): Map<string, DotenvStatement> {
  const found = new Map<string, DotenvStatement>()
  for (const statement of splitDotenv(text, '.env').statements) {
    found.delete(statement.key)
    found.set(statement.key, statement)
  }
  return found
}

/** Where a variable of the source has its first and its last statement. */
interface Place {
  first: number
  last: number
}

function placesOf(statements: readonly DotenvStatement[]): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const { key, start } of statements) {
    places.set(key, { first: places.get(key)?.first ?? start, last: start })
  }
  return places
}

interface Arranged {
  /** Name → what is written in its place: the last one has that name, if it is written there. */
  covering: Map<string, DotenvStatement[]>
  /** What is written at the end. */
  others: DotenvStatement[]
}

/**
 * Decides where the statements that are kept here are written. One that refers to variables sees
 * only what precedes it. So it is written behind those that are kept before it, or at the end if
 * the source has a variable of it later.
 */
function arrange(own: readonly DotenvStatement[], places: ReadonlyMap<string, Place>): Arranged {
  const covered = new Set(own.map(({ key }) => key))
  const covering = new Map<string, DotenvStatement[]>()
  const late = new Map<string, DotenvStatement>()
  let others: DotenvStatement[] = []
  const placeOf = (name: string) => {
    if (late.has(name)) return Number.POSITIVE_INFINITY
    const { first, last } = places.get(name) ?? { first: -1, last: -1 }
    return covered.has(name) ? first : last
  }
  for (const one of own) {
    const place = places.get(one.key)?.first
    const references = one.isLiteral ? [] : namesIn(one.value ?? '')
    const isBefore = (name: string) =>
      name === one.key || placeOf(name) < (place ?? Number.POSITIVE_INFINITY)
    if (!references.every(isBefore)) {
      late.set(one.key, one)
      if (place !== undefined) covering.set(one.key, [])
    } else if (place === undefined) {
      others.push(one)
    } else {
      covering.set(one.key, references.length > 0 ? [...others, one] : [one])
      if (references.length > 0) others = []
    }
  }
  return { covering, others: [...others, ...late.values()] }
}

function isSameValue(one: DotenvStatement, other: DotenvStatement | undefined): boolean {
  if (!other) return false
  if (one.text === other.text) return true
  // In other quotes, a `$` may mean something else.
  return one.value !== undefined && one.value === other.value && !one.value.includes('$')
}

const linesOf = (statements: readonly DotenvStatement[]): string =>
  statements.map(({ text }) => text).join('\n')

function isAtLineEnd(text: string, at: number): boolean {
  const blanks = /[^\S\n]*(?:\n|$)/y
  blanks.lastIndex = at
  return blanks.test(text)
}
