import { invalid } from '../core/errors.ts'
import type { HttpEvent } from './event.ts'

/**
 * Returns the query parameters by name. Those named in `lists` have a list of values.
 *
 * @throws 400 if another parameter is given twice, or if the encoding is invalid
 */
export function readQuery(
  { rawQueryString }: HttpEvent,
  lists: ReadonlySet<string>,
): Record<string, string | string[]> {
  const out: Record<string, string | string[]> = {}
  if (rawQueryString === '') return out
  const seen = new Set<string>()
  for (const pair of rawQueryString.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    if (lists.has(name)) {
      out[name] = [...(out[name] ?? []), value]
      continue
    }
    if (seen.has(name)) throw invalid(`query.${name}: must not be repeated`)
    seen.add(name)
    // Not an assignment, because the name may be `__proto__`.
    Object.defineProperty(out, name, { value, enumerable: true })
  }
  return out
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid('the query is not valid percent-encoded UTF-8')
  }
}
