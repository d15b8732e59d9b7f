declare module 'passport-apple' {
  import OAuth2Strategy from 'passport-oauth2';

  interface AppleOptions extends Omit<OAuth2Strategy.StrategyOptionsWithRequest, 'clientSecret'> {
    readonly teamID: string;
    readonly keyID: string;
    readonly privateKeyString: string;
  }

  export default class Strategy extends OAuth2Strategy {
    constructor(options: AppleOptions, verify: OAuth2Strategy.VerifyFunctionWithRequest);
  }
}
