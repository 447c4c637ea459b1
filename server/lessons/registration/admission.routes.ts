import { admissionApi } from '../../../contract/lessons/admission.calls.ts'
import { signingApi } from '../../../contract/lessons/signing.calls.ts'
import { routes } from '../../core/routes.ts'
import { drawInfo, drawLots, drawSheet } from './draw.service.ts'
import { cancelRegistration, enterLeave } from './leaving.service.ts'
import { registerRules, saveRegisterRules } from './register-rules.service.ts'
import { scanCode, signBoard } from '../signing/signing.service.ts'

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
  ...routes(signingApi, { board: signBoard, scan: scanCode }),
]
