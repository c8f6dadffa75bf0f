import { wrongUsage } from '../failure.ts'

/** Returns the value of a flag that has few possible values. Throws wrong usage for any other. */
export function choiceOf<const Choice extends string>(
  flag: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  const found = choices.find((choice) => choice === text)
  if (text === undefined || found !== undefined) return found
  const list = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  throw wrongUsage(`${flag} ${JSON.stringify(text)}: must be ${list}`)
}
