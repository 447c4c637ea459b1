import { generateSync } from 'otplib'
import { secondFactorApi } from '../../contract/school/session/second-factor.calls.ts'
import { epochOf } from '../core/base/clock.ts'
import type { Client } from './client.ts'
import { testPassword, type TestSchool } from './school.ts'

/** An authenticator as a phone has it. */
export interface Authenticator {
  secret: string
  recoveryCodes: string[]
  /** A code that has not been used: time goes on to the next one where it must. */
  code: () => string
  /** The code of so many steps from now, used or not. */
  codeAt: (steps: number) => string
}

/** Sets a second factor up for somebody who is signed in, as the console does. */
export async function enrol({ clock }: Pick<TestSchool, 'clock'>, client: Client): Promise<Authenticator> {
  const { secret } = await client.send(secondFactorApi.begin, { password: testPassword })
  const codeAt = (steps: number) => generateSync({ secret, epoch: epochOf(clock.now()) / 1000 + steps * 30 })
  const { recoveryCodes } = await client.send(secondFactorApi.enable, { code: codeAt(0) })
  const code = () => (clock.travel(31), codeAt(0))
  return { secret, recoveryCodes, code, codeAt }
}
