// Requests of HTTP and mails, by libcurl. Without libcurl nothing can be sent.
//
// TLS is verified, redirects are not followed, and a request takes 10 s at most. What goes wrong is
// said without addresses. Any thread; each call waits for its answer.
#pragma once

#include <string>

#include "sightline/base/status.h"
#include "sightline/watch/notify/message_body.h"
#include "sightline/watch/notify/target.h"

namespace sightline::watch {

// "libcurl/7.88.1 OpenSSL/3.0.17 ..."; empty in a program without libcurl.
std::string HttpClientVersion();

// Posts JSON; `id` is the header Idempotency-Key. kUnavailable without an answer.
Result<Answer> PostJson(const Target& target, const HttpMessage& message, const std::string& id);

// Hands a mail to the target's server. TLS is required, with smtp: by STARTTLS.
Status SendMail(const Target& target, const std::string& mail);

}  // namespace sightline::watch
