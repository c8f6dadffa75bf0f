import { invalid, notFound } from '../../../functions/core/errors.ts'

const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/

/**
 * Returns the id or name of a resource if it is safe in a path of the Engine API; the Engine client
 * does not encode paths.
 *
 * @throws 404 for anything else, because it cannot exist
 */
export function checkedId(kind: string, id: string): string {
  if (!idPattern.test(id)) throw notFound(`No ${kind} has the ID ${printable(id)}`)
  return id
}

/**
 * Returns the name of a new resource if it is safe in the same way.
 *
 * @throws 400 with the invalid name
 */
export function checkedName(kind: string, name: string): string {
  if (!idPattern.test(name)) throw invalid(`${printable(name)} is not a valid ${kind} name`)
  return name
}

function printable(text: string): string {
  return JSON.stringify(text.length > 140 ? `${text.slice(0, 140)}…` : text)
}
