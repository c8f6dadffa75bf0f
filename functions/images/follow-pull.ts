import { Failure, internalFailure } from '../core/errors.ts'
import { type PullPorts, permitPull } from '../core/images/permit-pull.ts'
import { pullProgress } from '../core/images/pull-progress.ts'
import { wantImage } from '../core/images/unused-since.ts'
import type { Needs } from '../core/ports/ports.ts'
import { feed } from '../kit/feed.ts'
import { ready } from '../kit/feed-facts.ts'
import { PullMessage, PullQuery } from './schema.ts'
import { imageView } from './view.ts'

export default feed({
  summary: 'Pull an image with its progress',
  description:
    'Pulls an image as `POST /images/pull` does. Sends the layers that changed a few times a second, then the image or the error, and ends. ' +
    'There is no time limit. When the client disconnects, or loses the permission, the pull is cancelled, as with `docker pull`; ' +
    'layers that are complete stay on the host, so that the next pull is shorter.',
  access: 'images:pull',
  query: PullQuery,
  sends: PullMessage,
  changes: true,
  errors: {
    403: 'You may not pull from that registry',
    404: 'No host has that id',
    409: 'A stack on that host builds its image with this name',
  },

  async *run({ query, caller, signal, note }, ports: PullPorts & Needs<'clock' | 'prunePolicies'>) {
    const { image, host } = query
    note({ subject: { kind: 'images', id: image } })
    const permitted = await permitPull({ image, host, path: 'query.image' }, caller, ports)
    const { engine, hostFields, registries } = permitted
    yield ready
    const progress = pullProgress(
      (report) => engine.pullImage(image, signal, { report, registries }),
      ports.clock,
    )
    try {
      for (;;) {
        const { value, done } = await progress.next()
        if (done) await wantImage(hostFields.host_id, value, ports)
        yield JSON.stringify(done ? { image: imageView(value, hostFields) } : { layers: value })
        if (done) return
      }
    } catch (error) {
      // The reason of a close is too short for the whole message.
      if (!signal.aborted) yield JSON.stringify(errorMessage(error))
      throw error
    }
  },
})

function errorMessage(error: unknown) {
  const {
    message,
    status,
    reason = null,
  } = error instanceof Failure ? error : internalFailure(error)
  return { error: message, status, reason }
}
