import type { Problem } from './problem.ts'

export interface FieldErrors {
  /** What is wrong with a field, by its name in the request. */
  of: Readonly<Partial<Record<string, string>>>
  /** What else is wrong. */
  rest: Problem | undefined
}

/** An error is "body.username: must have 1 to 64 characters; body.password: …". */
const fieldError = /(?:^|; )body\.(\w+): (.*?)(?=; body\.|$)/g

/** Divides a problem by the fields of a form: what is wrong is said where it can be mended. */
export function fieldErrors(problem: Problem | undefined, fields: readonly string[]): FieldErrors {
  if (problem?.status !== 400) return { of: {}, rest: problem }
  const found = [...problem.error.matchAll(fieldError)].map(([, name = '', text = '']) => ({
    name,
    text,
  }))
  const isShown = ({ name }: { name: string }) => fields.includes(name)
  const of = Object.fromEntries(found.filter(isShown).map(({ name, text }) => [name, text]))
  const isAll = found.length > 0 && found.every(isShown)
  return { of, rest: isAll ? undefined : problem }
}
