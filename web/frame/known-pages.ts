import { exec } from 'preact-iso/router'

let paths: readonly string[] = []

/** Sets the paths of all screens. Screens cannot read the routes, which import them. */
export const setKnownPages = (next: readonly string[]): void => {
  paths = next
}

/** Returns whether there is a screen for an address with its values, such as `/stacks/shop`. */
export const hasPageAt = (address: string): boolean => paths.some((path) => exec(address, path))
