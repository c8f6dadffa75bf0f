import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A product whose stacks can be imported. */
export type Product = 'dockge' | 'portainer' | 'komodo'

const directory = join(import.meta.dirname, '../../fixtures/peers')

/** Returns the absolute path of a file or folder of a product's fixtures. */
export const peerPath = (product: Product, ...steps: string[]): string =>
  join(directory, product, ...steps)

/** Returns the text of a file of a product's fixtures. */
export const peerText = (product: Product, ...steps: string[]): string =>
  readFileSync(peerPath(product, ...steps), 'utf8')

/** Returns what a JSON file of a product's fixtures contains. The caller knows its type. */
export const peerJson = <T>(product: Product, ...steps: string[]): T =>
  JSON.parse(peerText(product, ...steps)) as T
