import { quoted } from '../../folder/quoted.ts'
import { clean } from '../../output/text.ts'
import type { PortainerAnswers } from './answers.ts'

/** Returns what to do about accounts and teams, which are not imported. */
export function accountProposals(answers: PortainerAnswers): string[] {
  const { users, teams, memberships, hidden } = answers
  const unseen = hidden.map((name) => `this API key does not show ${name}: nothing is said of them`)
  const lines = users.map(({ Id, Username, Role }) => {
    const own = memberships.filter(({ UserID }) => UserID === Id).map(({ TeamID }) => TeamID)
    const names = teams.filter((team) => own.includes(team.Id)).map(({ Name }) => Name)
    const inTeams = names.length === 0 ? '' : `    # in the team ${names.join(', ')}`
    const role = Role === 1 ? 'admin' : 'viewer'
    return clean(`  cli users create ${quoted(Username)} --role ${role}${inTeams}`)
  })
  if (lines.length === 0) return unseen
  return [
    ...unseen,
    'accounts and teams are not imported. A proposal, with the smallest role for standard users:',
    ...lines,
    '  roles and scopes of hosts stand for teams: see cli roles create --help',
  ]
}
