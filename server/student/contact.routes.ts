import { ownContactApi } from '../../contract/student/contact.calls.ts'
import { routes } from '../core/request/routes.ts'
import { readOwnContact, saveOwnContact } from '../school/people/own-contact.service.ts'
import { askPassword } from '../school/session/second-factor.service.ts'

/** How the student who asks is reached. */
export const ownContactRoutes = routes(ownContactApi, {
  read: readOwnContact,
  save: async (ctx, { password, ...contact }) => {
    await askPassword(ctx, password)
    return saveOwnContact(ctx, ownContactApi.save.summary, contact)
  },
})
