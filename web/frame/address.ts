import { afterBack } from '../parts/query.ts'

export { useOverlay, useQuery } from '../parts/query.ts'

let follow: (href: string, replace?: boolean) => void = () => {}

/** Gives `go` the router's way to change the address. */
export function setNavigator(route: typeof follow): void {
  follow = route
}

/** Opens a page of the UI. One that replaces the page before is where Back from it led. */
export const go = (href: string, isReplacing = false): void =>
  afterBack(() => follow(href, isReplacing))
