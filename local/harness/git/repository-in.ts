import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a commit of a test has at a path. */
export type Content = string | Buffer | { link: string } | { executable: string }

/** A repository made by git: a work tree, and a bare one that a server can have. */
export interface TestRepository {
  /** The directory that has `bare.git`. */
  root: string
  bare: string
  /** Runs git in the work tree. */
  git(...words: string[]): string
  /** Replaces all files by these, commits and pushes them to the branch `main`. */
  commit(files: Readonly<Record<string, Content>>, subject?: string): string
  /** Pushes the commit to the branch `main`, whatever was there. */
  push(): void
}

/** Makes a repository in a directory that exists. */
export function repositoryIn(root: string): TestRepository {
  const work = join(root, 'work')
  const bare = join(root, 'bare.git')
  const run = (words: readonly string[], cwd: string) =>
    execFileSync('git', words, {
      cwd,
      encoding: 'utf8',
      env: environment(root),
      stdio: 'pipe',
    }).trim()
  run(['init', '--quiet', '--bare', '--initial-branch=main', bare], root)
  run(['init', '--quiet', '--initial-branch=main', work], root)
  run(['config', 'uploadpack.allowFilter', 'true'], bare)
  const git = (...words: string[]) => run(words, work)
  const push = () =>
    void git('push', '--quiet', '--force', `file://${bare}`, 'HEAD:refs/heads/main')
  return {
    root,
    bare,
    git,
    push,
    commit(files, subject = 'A change') {
      git('rm', '-r', '--quiet', '--force', '--ignore-unmatch', '.')
      for (const [path, content] of Object.entries(files)) write(join(work, path), content)
      git('add', '--all', '--force', '.')
      git('commit', '--quiet', '--allow-empty', '--message', subject)
      push()
      return git('rev-parse', 'HEAD')
    },
  }
}

/** Environment variables of git: no configuration but the repository's own. */
export const environment = (home: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_AUTHOR_DATE: '2026-03-04T05:06:07Z',
  GIT_COMMITTER_DATE: '2026-03-04T05:06:07Z',
})

function write(path: string, content: Content): void {
  mkdirSync(dirname(path), { recursive: true })
  if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(path, content)
  else if ('link' in content) symlinkSync(content.link, path)
  else {
    writeFileSync(path, content.executable)
    chmodSync(path, 0o755)
  }
}
