import type { StackDetails } from '../../data/stack-operations.ts'

/** Returns the warnings that the notices above the tabs of a stack do not show already. */
export const besideNotices = <T>(
  warnings: readonly T[],
  { warnings: shown }: Pick<StackDetails, 'warnings'>,
  textOf: (warning: T) => string,
): T[] => warnings.filter((warning) => !shown.includes(textOf(warning)))
