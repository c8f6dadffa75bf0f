import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRepository } from '../harness/git/repository.ts'
import { startGitSsh } from '../harness/git/ssh-git-server.ts'
import { appearanceProblems } from './harness/appearance.ts'
import { type Journey, startJourney } from './harness/journey.ts'
import { seenClick, seenFill, seenSelect } from './harness/seen-click.ts'

let journey: Journey

beforeAll(async () => {
  journey = await startJourney({ SERVICE_OUTBOUND_ALLOW: '127.0.0.1' })
})
afterAll(() => journey?.close())

test('a repository over ssh is added: its key is authorized, and the server’s key confirmed', async () => {
  const repository = makeRepository()
  const revision = repository.commit({ 'apps/shop/compose.yaml': 'services: {}\n' })
  const server = await startGitSsh(repository.root)
  await using opened = await journey.openSignedIn('/stacks', { expected: /404/ })
  const { page } = opened
  const dialog = page.getByRole('dialog')
  const row = page.getByRole('table', { name: 'Sources' }).getByRole('row').last()
  const problems: string[] = []
  const choose = async (action: string) => {
    await seenClick(page.getByRole('button', { name: 'Actions of estate' }))
    await seenClick(page.getByRole('menuitem', { name: action }))
  }
  await seenClick(page.getByRole('link', { name: 'Sources', exact: true }))
  await page.getByText('No source yet').waitFor()
  await seenClick(page.getByRole('button', { name: 'Add source' }).first())
  await seenFill(dialog.getByLabel('Address'), server.url)
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('bare')
  await seenFill(dialog.getByLabel('Name', { exact: true }), 'estate')
  await seenFill(dialog.getByLabel('Branch, tag or commit'), 'main')
  problems.push(...(await appearanceProblems(page, 'sources-add')))
  await seenClick(dialog.getByRole('button', { name: 'Save source' }))
  const key = await dialog.getByText(/^ssh-ed25519 /).textContent()
  problems.push(...(await appearanceProblems(page, 'sources-public-key')))
  server.authorize(key ?? '')
  await seenClick(dialog.getByRole('button', { name: 'Look now' }))
  await dialog.getByText(server.hostKey, { exact: true }).waitFor()
  await seenClick(dialog.getByRole('button', { name: 'Cancel' }))
  await row.getByText('Host key to confirm').waitFor()
  problems.push(...(await appearanceProblems(page, 'sources-unconfirmed')))
  await choose('Confirm host key')
  await dialog.getByText(server.hostKey, { exact: true }).waitFor()
  problems.push(...(await appearanceProblems(page, 'sources-host-key')))
  await seenClick(dialog.getByRole('button', { name: 'Confirm host key' }))
  await row.getByText('Can be read').waitFor()
  await row.getByText(revision.slice(0, 12)).waitFor()
  problems.push(...(await appearanceProblems(page, 'sources')))
  await choose('Hook of estate')
  await seenClick(dialog.getByRole('button', { name: 'Make a hook' }))
  await dialog.getByText('The secret is shown only now').waitFor()
  problems.push(...(await appearanceProblems(page, 'source-hook-made')))
  await seenClick(dialog.getByRole('button', { name: 'Close' }).last())
  await choose('Hook of estate')
  await dialog.getByText('Last look').waitFor()
  problems.push(...(await appearanceProblems(page, 'source-hook')))
  await seenClick(dialog.getByRole('button', { name: 'Delete the hook' }))
  await seenClick(dialog.getByRole('button', { name: 'Delete the hook' }))
  await dialog.getByRole('button', { name: 'Make a hook' }).waitFor()
  await seenClick(dialog.getByRole('button', { name: 'Cancel' }))
  await choose('Change estate')
  await seenFill(dialog.getByLabel('Branch, tag or commit'), 'none')
  await seenSelect(dialog.getByLabel('Look for changes'), 'Only when you ask')
  await seenClick(dialog.getByRole('button', { name: 'Save source' }))
  await page.getByText('estate saved').waitFor()
  await choose('Look now')
  await row.getByText('No such branch or tag').waitFor()
  await row.getByText('when you ask').waitFor()
  await choose('Delete estate')
  await seenClick(dialog.getByRole('button', { name: 'Delete estate' }))
  await page.getByText('No source yet').waitFor()
  expect(problems).toEqual([])
})
