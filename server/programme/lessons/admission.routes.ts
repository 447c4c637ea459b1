import { admissionApi } from '../../../contract/programme/lessons/admission.calls.ts'
import { signingApi } from '../../../contract/programme/lessons/signing.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { drawInfo, drawLots, drawSheet } from './registration/draw.service.ts'
import { cancelRegistration, enterLeave } from './registration/leaving.service.ts'
import { registerRules, saveRegisterRules } from './registration/register-rules.service.ts'
import { listSignHints } from './signing/sign-hints.service.ts'
import { scanCode, signBoard } from './signing/signing.service.ts'

export const admissionRoutes = [
  ...routes(admissionApi, {
    rules: registerRules,
    saveRules: saveRegisterRules,
    cancel: cancelRegistration,
    leave: enterLeave,
    drawInfo,
    draw: drawLots,
    drawSheet,
  }),
  ...routes(signingApi, { board: signBoard, hints: listSignHints, scan: (ctx, input) => scanCode(ctx, input) }),
]
