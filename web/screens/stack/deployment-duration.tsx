import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { serviceTime } from '../../data/clock.ts'
import type { Deployment } from '../../data/stack-operations.ts'
import { durationText } from './duration-text.ts'

/** How long a deployment took. It counts while the deployment runs. */
export function DeploymentDuration({ of: deployment }: { of: Deployment }) {
  const now = useSignal(serviceTime())
  const isRunning = deployment.status === 'running'
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => {
      now.value = serviceTime()
    }, 1000)
    return () => clearInterval(timer)
  }, [isRunning, now])
  return <span class="figures">{durationText(deployment, Math.max(now.value, serviceTime()))}</span>
}
