import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Deployment } from '../../data/stack-operations.ts'
import { durationText } from './duration-text.ts'

/** How long a deployment took. It counts while the deployment runs. */
export function DeploymentDuration({ of: deployment }: { of: Deployment }) {
  const now = useSignal(Date.now())
  const isRunning = deployment.status === 'running'
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 1000)
    return () => clearInterval(timer)
  }, [isRunning, now])
  return <span class="figures">{durationText(deployment, Math.max(now.value, Date.now()))}</span>
}
