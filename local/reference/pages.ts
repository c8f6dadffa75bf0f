import { commandLinePage } from './command-line.ts'
import { configurationPage } from './configuration.ts'
import { manualPages } from './man-pages.ts'

const at = (name: string) => new URL(`../../docs/reference/${name}`, import.meta.url)

/** The pages with generated parts, each with the function that fills them in. */
export const pages: { path: URL; fill: (page: string) => string | Promise<string> }[] = [
  { path: at('cli.md'), fill: commandLinePage },
  { path: at('configuration.md'), fill: configurationPage },
  ...Object.entries(manualPages).map(([name, fill]) => ({ path: at(`../man/${name}`), fill })),
]
