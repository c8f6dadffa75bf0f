/**
 * What entering a container gives access to beyond its stack: nothing, data of others, or control
 * of the host.
 */
export type Degree = 'none' | 'data' | 'host'

/** A thing beyond its stack that a container has access to. */
export interface Reached {
  degree: 'data' | 'host'
  /** Names the mount or option, as in `the mount /media: /mnt/media of the host`. */
  reason: string
  /** How `stacks.enterable_binds` lists it: a path, or an option such as `cap_add:NET_ADMIN`. */
  name: string
  /** The name of the volume, if it is one of others. */
  volume?: string
}
