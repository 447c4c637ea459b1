import { Failure } from '../../../contract/core/failure.ts'
import { askProvider } from './ask-provider.ts'
import { casLogin, casLogout, casValidate, readCasAnswer, readLogoutRequest } from './cas.ts'
import type { SignInProtocol, AuthRequest } from './protocol.ts'

/** A ticket that no server has issued, and an address that is told with it. */
const noTicket = 'ST-0-test-of-the-console'
const noService = 'https://test.invalid/'

/** CAS compares the whole address that a ticket was for, so that the state in it is part of what is checked. */
const serviceOf = ({ callback, state }: AuthRequest) => `${callback}?state=${state}`

/** Sign-in by CAS 2.0 and 3.0, with single logout. */
export const casProtocol: SignInProtocol = {
  loginPage: async (_, { settings: { address } }, authRequest) => casLogin(address, serviceOf(authRequest)),

  async resolveCallback(ctx, { providerId, settings: { address, attribute } }, authRequest, { ticket = '' }) {
    if (!ticket) throw new Failure('identity-refused')
    let answer
    try {
      // version 2 knows no attributes: where one is needed, nothing else will do
      answer = readCasAnswer(
        await askProvider(ctx, casValidate(address, serviceOf(authRequest), ticket, attribute ? 3 : 2)),
      )
    } catch (error) {
      ctx.log.warn({ err: error, providerId }, 'a provider of sign-in could not be asked')
      throw new Failure('identity-unavailable')
    }
    if ('code' in answer) {
      ctx.log.warn({ providerId, code: answer.code }, 'a provider refused a ticket')
      throw new Failure('identity-refused')
    }
    const values = attribute ? (answer.attributes.get(attribute) ?? []) : [answer.user]
    return { number: values.length === 1 ? values[0] || null : null, ticket, subject: answer.user }
  },

  // the ticket is known to the provider and to us alone: it is the proof
  async signedOut(_ctx, _provider, { logoutRequest = '' }) {
    const ticket = readLogoutRequest(logoutRequest)
    return ticket ? { ticket } : undefined
  },

  logoutPage: async (_, { settings: { address } }, back) => casLogout(address, back),

  /** A CAS server refuses a ticket that nobody has in the words of the protocol; anything else is no CAS server. */
  async test(ctx, { settings: { address, attribute } }) {
    let xml: string
    try {
      xml = await askProvider(ctx, casValidate(address, noService, noTicket, attribute ? 3 : 2))
    } catch (error) {
      return [{ name: '连接', isGood: false, text: (error as Error).message }]
    }
    const connected = { name: '连接', isGood: true, text: `${new URL(address).host} 有应答` }
    try {
      const answer = readCasAnswer(xml)
      return [
        connected,
        'code' in answer
          ? { name: '协议', isGood: true, text: `是 CAS 服务（按协议拒绝了测试票据：${answer.code}）` }
          : { name: '协议', isGood: false, text: '对方接受了一张不存在的票据，不能用于登录，请联系该服务的管理员' },
      ]
    } catch {
      return [
        connected,
        { name: '协议', isGood: false, text: '应答不是 CAS 协议的内容，请核对服务地址（通常以 /cas 结尾）' },
      ]
    }
  },
}
