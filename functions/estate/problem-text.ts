import type { Failure } from '../core/errors.ts'

/** Returns why a request failed. Fields of its body are called as the file calls them. */
export const problemText = ({ message }: Failure): string => message.replaceAll(/\bbody\./g, '')
