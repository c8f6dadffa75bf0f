import { useEffect } from 'preact/hooks'
import { resource, useResource } from '../../data/cache.ts'
import { onEvents } from '../../data/events.ts'
import type { Deployment } from '../../data/stack-operations.ts'
import { withStep } from './with-step.ts'

/** Milliseconds between two reads of a running deployment, in case an event is lost. */
const reloadEvery = 6000
/** The same while it pulls images: no event has how much is downloaded. */
const reloadOfPulls = 2000

/** Reads a deployment. Its steps move with their events, not only with the next response. */
export function useDeployment(name: string, id: string) {
  const read = useResource('/stacks/{name}/deployments/{id}', { name, id })
  useEffect(() => {
    const entry = resource('/stacks/{name}/deployments/{id}', { name, id })
    const stop = onEvents((events) => {
      for (const event of events) entry.patch((now) => withStep(now as Deployment, event))
    })
    let waited = 0
    const timer = setInterval(() => {
      waited += reloadOfPulls
      const now = read.value.peek()
      if (now?.status !== 'running' || document.visibilityState !== 'visible') return
      if (waited < reloadEvery && !isPulling(now)) return
      waited = 0
      void read.reload()
    }, reloadOfPulls)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [name, id])
  return read
}

const isPulling = ({ steps }: Deployment) =>
  steps.some(({ action, status }) => isFetch.has(action) && status === 'running')

const isFetch = new Set(['pull', 'tag'])
