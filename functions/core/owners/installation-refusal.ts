import { conflict, type Failure } from '../errors.ts'

const ways = {
  change:
    'to upgrade the service, use `cli upgrade`; to restart or remove it, use `docker compose` on its host',
  copy: 'to save its data, make a job that backs up the system',
  use: 'only its own containers use it',
  update: 'it cannot update itself: use the mode notify, and `cli upgrade`',
}

/**
 * Returns the 409 for what would stop, change, enter, copy or join a part of the service itself.
 *
 * @param subject such as `container x` or `volume y`, with its place in a file
 * @param way what the caller wanted to do with it
 */
export const installationRefusal = (subject: string, way: keyof typeof ways = 'change'): Failure =>
  conflict(`${subject}: it is a part of this service; ${ways[way]}`, {
    reason: 'own-installation',
  })
