import type { AnyComponent } from 'preact'
import preactLazy from 'preact-iso/lazy'
import { loadAgain } from '../browser/load-again.ts'
import { screenTexts } from '../text/text.ts'

/** A component that is loaded when it is first shown, or before that by `preload`. */
export type Lazy<P = object> = AnyComponent<P> & { preload: () => Promise<unknown> }

/**
 * Returns a component that is loaded when it is first shown, with the texts of all screens. If it
 * cannot be loaded it throws the reason when it is shown, which the nearest ErrorBoundary tells.
 */
export const lazy = <P>(load: () => Promise<{ default: AnyComponent<P> }>): Lazy<P> =>
  preactLazy(() =>
    Promise.all([loadAgain(load), screenTexts()]).then(([component]) => component, thrower),
  ) as unknown as Lazy<P>

const thrower = (error: unknown) => ({
  default: () => {
    throw error
  },
})
