import { Failure } from '../../core/errors.ts'
import { hookPause } from '../../core/hooks/hook-record.ts'
import { whenToAsk } from '../../core/sources/decide-look.ts'
import { lookNow } from '../../core/sources/look-at-source.ts'
import { askForSync, getBound } from '../../core/sources/stack-source-record.ts'
import type { SyncPorts } from '../../core/sources/sync-ports.ts'
import { syncSource } from '../../core/sources/sync-stacks.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { StackPath } from '../schema.ts'
import { StackSource } from '../source-schema.ts'
import { bindingView } from '../source-view.ts'

export default endpoint({
  summary: 'Sync a stack with its source now',
  description:
    'Asks the source what it has and takes it, also with `notify`, and after a rollback. With `deploy` a deployment begins. A sync that fails is a 200 with `last_error`; `is_waiting` says that it goes on.',
  access: 'stacks:deploy',
  atService: true,
  noTimeout: true,
  limitsCaller: true,
  path: StackPath,
  returns: StackSource,
  errors: {
    404: 'No stack has that name, or it follows no source',
    409: 'Another request just bound the stack to a source',
  },

  async run({ path, caller }, ports: SyncPorts) {
    const { source } = getBound(await getStack(path.name, ports))
    const { stopping } = ports.background
    if (await isToAsk(source.source, ports, stopping)) {
      await lookNow(source.source, ports, stopping).catch(ignoreGone)
    }
    // After the look: a sync by the schedule meanwhile would be the one that was asked for.
    await askForSync(path.name, ports)
    await syncSource(source.source, ports, stopping)
    const stack = getBound(await getStack(path.name, ports))
    return bindingView(stack.source, await ports.sources.find(stack.source.source), caller)
  },
})

/**
 * Waits until a source may be asked again. Returns whether to ask it: not if another request did
 * since this one came, or if the server takes no requests for a while.
 */
async function isToAsk(
  name: string,
  { sources, clock }: SyncPorts,
  signal: AbortSignal,
): Promise<boolean> {
  const began = clock.now()
  for (let waited = 0; ; ) {
    const source = await sources.find(name)
    if (!source) return true
    const asking = whenToAsk(source, clock.now())
    if (asking.when === 'later') return false
    if (asking.when === 'now' || waited >= hookPause || signal.aborted) return true
    if ((source.look.askedAt ?? 0) > began) return false
    await clock.sleep(asking.pause, signal)
    waited += asking.pause
  }
}

/** A source that is gone is a failure of the sync; one that is being looked at needs no look. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof Failure) || ![404, 409].includes(error.status)) throw error
}
