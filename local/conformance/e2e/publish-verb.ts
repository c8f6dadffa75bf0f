import type { Output } from './output.ts'
import type { OurStack } from './stack.ts'
import type { ComposeWords } from './words.ts'

/** The keys of an answer: our prompts take the first letter, without a line. */
const keysOf = (typed: string | undefined) =>
  typed === undefined ? {} : { keys: typed.slice(0, 1) }

/** Publishes the stack with the client, which asks on a terminal. */
export function publish(stack: OurStack, { flags, names, typed }: ComposeWords): Promise<Output> {
  const own: readonly (readonly [theirs: string, ours: string])[] = [
    ['--with-env', '--with-env'],
    ['--dry-run', '--dry-run'],
    ['-y', '--yes'],
  ]
  const given = own.flatMap(([theirs, ours]) => (flags.has(theirs) ? [ours] : []))
  const argv = ['stacks', 'publish', stack.path.name, ...names, ...given]
  return stack.client.run(argv, keysOf(typed))
}
