import { api, unwrap } from './api.ts'

/** Returns the last lines of the containers of a stack, at most `tail` of each, in their order. */
export const lastStackLines = (name: string, tail: number) =>
  unwrap(api.GET('/stacks/{name}/logs', { params: { path: { name }, query: { tail } } }))
