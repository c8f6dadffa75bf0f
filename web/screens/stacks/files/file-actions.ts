import { base64Of, bytesOf, readFile, type SentFile, saveFiles } from '../../../data/stack-files.ts'
import { saveFile } from '../../../parts/save-file.ts'

/** Creates a file. An overlay begins with a mapping, because an empty one may not load. */
export async function createFile(name: string, path: string, revision: number): Promise<string> {
  const content = /^compose\.[^/]+\.ya?ml$/.test(path) ? 'services: {}\n' : ''
  await saveFiles(name, { [path]: { content } }, revision)
  return path
}

/** Gives a file another path or other permissions, as one revision. */
export async function moveFile(
  name: string,
  from: string,
  to: { path: string; mode: string | undefined },
  revision: number,
): Promise<string> {
  const stored = await readFile(name, from)
  const { content, base64, link } = stored
  const mode = to.mode === undefined ? {} : { mode: to.mode }
  const body: SentFile =
    link !== null
      ? { link }
      : base64 !== null
        ? { base64, ...mode }
        : { content: content ?? '', ...mode }
  const files = from === to.path ? { [from]: body } : { [from]: null, [to.path]: body }
  await saveFiles(name, files, revision)
  return to.path
}

/** Deletes a file. */
export const deleteFile = (name: string, path: string, revision: number) =>
  saveFiles(name, { [path]: null }, revision)

/** Saves chosen files by their path. */
export async function uploadFiles(
  name: string,
  files: readonly { path: string; file: File }[],
  revision: number,
): Promise<number> {
  const sent = await Promise.all(
    files.map(async ({ path, file }) => [path, { base64: await base64Of(file) }] as const),
  )
  await saveFiles(name, Object.fromEntries(sent), revision)
  return files.length
}

/** Lets the browser save a file. */
export async function downloadFile(name: string, path: string): Promise<void> {
  const bytes = bytesOf(await readFile(name, path))
  const content = new Blob([bytes], { type: 'application/octet-stream' })
  saveFile(path.slice(path.lastIndexOf('/') + 1), content)
}
