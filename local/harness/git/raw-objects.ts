import { execFileSync } from 'node:child_process'
import { environment, type TestRepository } from './repository.ts'

/** Writes objects that `git commit` would not make. */
export interface RawObjects {
  blob(content: string | Buffer): string
  /** Makes a tree with entries as they are, in this order, without any check. */
  tree(entries: readonly (readonly [mode: string, name: string | Buffer, id: string])[]): string
  /** Makes a commit of a tree and points the branch `main` of the bare repository at it. */
  commit(tree: string): string
}

/** Writes into the bare repository of a test. */
export function rawObjects({ bare, root }: TestRepository): RawObjects {
  const run = (words: readonly string[], input?: string | Buffer) =>
    execFileSync('git', ['--git-dir', bare, ...words], {
      input: input ?? '',
      encoding: 'utf8',
      env: environment(root),
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trim()
  const write = (type: string, content: string | Buffer) =>
    run(['hash-object', '-w', '--literally', '-t', type, '--stdin'], content)
  return {
    blob: (content) => write('blob', content),
    tree: (entries) =>
      write(
        'tree',
        Buffer.concat(
          entries.map(([mode, name, id]) =>
            Buffer.concat([
              Buffer.from(`${mode} `),
              Buffer.from(name),
              Buffer.from([0]),
              Buffer.from(id, 'hex'),
            ]),
          ),
        ),
      ),
    commit(tree) {
      const head = `tree ${tree}\nauthor Ada <a@example.org> 1772600767 +0000\n`
      const id = write('commit', `${head}committer Ada <a@example.org> 1772600767 +0000\n\nRaw\n`)
      run(['update-ref', 'refs/heads/main', id])
      return id
    },
  }
}
