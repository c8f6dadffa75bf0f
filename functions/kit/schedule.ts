/** Work that every process repeats. Work that must run in only one process takes a lease. */
export interface Schedule<N = unknown> {
  readonly summary: string
  readonly everySeconds: number
  with(ports: N): (signal?: AbortSignal) => Promise<void>
}

/**
 * Makes a schedule. The first run starts with the process, each further one after the previous one
 * has ended. A run may last until the process stops, which aborts the signal.
 */
export function schedule<N>(spec: {
  summary: string
  everySeconds: number
  run(ports: N, signal: AbortSignal): Promise<void>
}): Schedule<N> {
  const { summary, everySeconds } = spec
  const never = () => new AbortController().signal
  return {
    summary,
    everySeconds,
    with:
      (ports) =>
      (signal = never()) =>
        spec.run(ports, signal),
  }
}

/** The manifest's schedules by name. */
export type Schedules = Record<string, () => Promise<{ default: Schedule }>>

/** Returns the manifest's schedules, name → file. */
export const scheduleManifest = <const S extends Schedules>(lines: S): S => lines
