import { useMemo } from 'preact/hooks'
import { type Action, type ActTexts, act } from './act.ts'

/** Returns an action that belongs to the component. What it needs is given to `run`. */
export function useAct<A extends readonly unknown[], T>(
  work: (...given: A) => Promise<T>,
  texts: ActTexts<T>,
): Action<A, T> {
  return useMemo(() => act(work, texts), [])
}
