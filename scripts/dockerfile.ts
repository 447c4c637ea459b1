import { readFileSync } from 'node:fs'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'

/** One step of a Dockerfile: its word, and the rest with the arguments before `FROM` put in. */
export interface Step {
  word: string
  rest: string
}

/** From one `FROM` to the next. */
export interface Stage {
  image: string
  name: string | undefined
  steps: Step[]
}

/** The stages of a Dockerfile, whose steps are then read one by one. */
export function stagesOf(file: URL): Stage[] {
  const given = new Map<string, string>()
  const filled = (text: string) => text.replace(/\$\{(\w+)\}/g, (whole, name: string) => given.get(name) ?? whole)
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n')
  const stages: Stage[] = []
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const word = instruction.getKeyword()
    const rest = restOf(instruction, lines)
    if (word === 'ARG' && stages.length === 0) given.set(...(rest.split('=', 2) as [string, string]))
    else if (word === 'FROM') {
      const [image = '', , name] = filled(rest).split(/\s+/)
      stages.push({ image, name, steps: [] })
    } else stages.at(-1)!.steps.push({ word, rest })
  }
  return stages
}

/** What stands behind the word, flags too, with continued lines joined. */
function restOf(instruction: Instruction, lines: string[]): string {
  const { start, end } = instruction.getRange()
  return lines
    .slice(start.line, end.line + 1)
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .replace(/^\s*\w+\s+/, '')
    .trim()
}

/** The settings of an `ENV` step. */
export const settingsOf = ({ rest }: Step): Record<string, string> =>
  Object.fromEntries(rest.split(/\s+/).map((each) => each.split('=', 2) as [string, string]))

/** Flags (`--from=x`) and words of a step. */
export function wordsOf({ rest }: Step): { flags: Record<string, string>; words: string[] } {
  const all = rest.split(/\s+/)
  return {
    flags: Object.fromEntries(
      all.filter((each) => each.startsWith('--')).map((each) => each.slice(2).split('=', 2) as [string, string]),
    ),
    words: all.filter((each) => !each.startsWith('--')),
  }
}

/** The command of `CMD` or of `HEALTHCHECK … CMD`, which is written as a list. */
export const commandOf = ({ rest }: Step): string[] => JSON.parse(rest.slice(rest.indexOf('['))) as string[]
