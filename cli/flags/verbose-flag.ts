/** The flag of commands that show one line for each container. */
export const verboseFlag = {
  '--verbose': 'Show each step: the several requests to the Engine that change one container',
} as const
