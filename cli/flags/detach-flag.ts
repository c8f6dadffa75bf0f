/** The flag of commands that start an operation and follow it. */
export const detachFlag = {
  '-d, --detach': 'Do not wait for the end: print how to follow it',
} as const

/** The same, under the name that commands of backups had before. */
export const noWaitFlag = { ...detachFlag, '--no-wait': 'The same as --detach' } as const

/** Returns whether a command only starts its operation. */
export const isDetached = (flags: { detach?: boolean; noWait?: boolean }): boolean =>
  Boolean(flags.detach || flags.noWait)
