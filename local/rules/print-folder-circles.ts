import { folderCircles } from './folder-circles.ts'
import { sourcesUnder, topLevel } from './source.ts'

/*
 * Prints the circles of folders in the whole project, or below the folders that are named:
 * `npx tsx local/rules/print-folder-circles.ts functions/core web`.
 */
const wanted = process.argv.slice(2).map((folder) => folder.replace(/\/$/, ''))
const sources = sourcesUnder('.').filter(({ path }) =>
  topLevel().includes(path.split('/')[0] ?? ''),
)
const circles = folderCircles(sources).filter(
  ({ folder }) => wanted.length === 0 || wanted.some((one) => `${folder}/`.startsWith(`${one}/`)),
)
for (const { folder, members, closing } of circles) {
  console.log(`${folder}: ${members.join(' → ')}`)
  for (const line of closing) console.log(`  ${line}`)
}
console.log(`circles of folders: ${circles.length}`)
