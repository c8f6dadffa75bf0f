import { invalid, notFound } from '../../functions/core/errors.ts'

const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/

/**
 * The id or name of a container, network or volume, safe to stand in a path of the Engine API. Anything else cannot be
 * one and is answered as missing, with a `Failure` 404: the Engine client does not encode what it puts into a path.
 */
export function checkedId(kind: string, id: string): string {
  if (!idPattern.test(id)) throw notFound(`No ${kind} has the id ${printable(id)}`)
  return id
}

/** The name of a thing to be made, checked alike: a `Failure` 400 says which name is wrong. */
export function checkedName(kind: string, name: string): string {
  if (!idPattern.test(name)) throw invalid(`${printable(name)} is not a valid ${kind} name`)
  return name
}

function printable(text: string): string {
  return JSON.stringify(text.length > 140 ? `${text.slice(0, 140)}…` : text)
}
