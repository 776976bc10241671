import { RELEASE_HEADER } from '../../contract/headers.ts';
import { CLOUDFRONT_PUBLISH, cloudfrontTemplateView } from '../shared/cloudfront.ts';
import { readmeFile } from '../shared/readme.ts';
import { replySettingsForPageCutting, targetCode } from '../shared/target-code.ts';
import type { Target } from '../target.ts';

export const lambdaEdge: Target = {
  title: 'Lambda@Edge',
  about: { use: 'AWS, catalogues of any size', runs: 'the router for what is not in the cache' },
  code: {
    'lambda-edge': {
      entry: 'lambda-edge/origin-request.ts',
      isModern: true,
      cutsPages: true,
      servesPreviews: true,
    },
  },
  generate: (input) => {
    const view = cloudfrontTemplateView(input);
    const memory = view.packed ? 256 : 128;
    return {
      files: [
        { path: 'index.mjs', content: targetCode('lambda-edge', replySettingsForPageCutting(input), true) },
        readmeFile(input, {
          target: 'lambda-edge',
          title: 'Lambda@Edge',
          publish: CLOUDFRONT_PUBLISH,
          view: { ...view, memory, releaseHeader: RELEASE_HEADER },
        }),
      ],
    };
  },
};
