import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { components } from '../../data/api.types.ts'
import type { ContainerRef } from '../../data/containers.ts'
import { openFeed } from '../../data/feeds.ts'
import { inNextFrame } from '../../data/frame-queue.ts'
import type { Problem } from '../../data/problem.ts'

export type Stats = Exclude<components['schemas']['StatsMessage'], { end: unknown }>

export interface LiveStats {
  /** The last five minutes, oldest first. Empty while the container does not run. */
  values: ReadonlySignal<readonly Stats[]>
  /** There is a value, or there will be none: it does not run, or cannot be followed. */
  isSettled: ReadonlySignal<boolean>
  problem: ReadonlySignal<Problem | undefined>
}

/** The most samples to keep. About one arrives each second. */
const kept = 300

/** Follows what a container uses, while it runs and the component is mounted. */
export function useStats({ id, host_id }: ContainerRef, isRunning: boolean): LiveStats {
  const values = useMemo(() => signal<readonly Stats[]>([]), [id, host_id])
  const problem = useMemo(() => signal<Problem | undefined>(undefined), [id, host_id])
  const isSettled = useMemo(() => signal(!isRunning), [id, host_id])
  useEffect(() => {
    isSettled.value = !isRunning
    if (!isRunning) {
      values.value = []
      return undefined
    }
    const feed = openFeed('/ws/stats/{id}', { id, host: host_id }, (data) => {
      const message = JSON.parse(data as string) as components['schemas']['StatsMessage']
      isSettled.value = true
      if ('end' in message) return
      const next = [...values.peek(), message].slice(-kept)
      inNextFrame(values, () => {
        values.value = next
      })
    })
    const stop = feed.problem.subscribe((why) => {
      problem.value = why
      if (why) isSettled.value = true
    })
    return () => {
      stop()
      feed.close()
    }
  }, [id, host_id, isRunning, values, problem, isSettled])
  return { values, problem, isSettled }
}
