/** Work that is begun again and again, in every process: what must happen once takes a lease. */
export interface Schedule<N = any> {
  readonly summary: string
  readonly everySeconds: number
  with(ports: N): (signal?: AbortSignal) => Promise<void>
}

/**
 * Makes a schedule. The first run is at the start of the process; the next begins when the last one is done, which may be at
 * the end of the process: the signal says when that is.
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

/** A literal of lines: name → file. */
export const schedules = <const S extends Schedules>(lines: S): S => lines
